package experiments

import (
	"errors"
	"fmt"
	"strings"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// locate names the file and the strategy that wrong input concerns. Errors of another
// kind, and nil, stay what they are.
func (f *File) locate(err error) error {
	var bad *badinput.Error
	if errors.As(err, &bad) {
		return f.withStrategyName(bad).In(f.Path)
	}
	return err
}

// withStrategyName calls a strategy in a key by its name instead of its number.
func (f *File) withStrategyName(e *badinput.Error) *badinput.Error {
	tables := strict.Tables(f.tree["strategy"])
	for i, table := range tables {
		number := fmt.Sprintf("strategy[%d].", i)
		if rest, ok := strings.CutPrefix(e.Key, number); ok && rest != "name" && table["name"] != nil {
			c := *e
			c.Key = fmt.Sprintf("strategy %q.%s", table["name"], rest)
			return &c
		}
	}
	return e
}

// withCauses adds to wrong input of one simulation what led to it: the strategy,
// when it is one of several and the key is its own or it overrides what is built,
// and the swept variables of the table in question.
func (e *Experiment) withCauses(strategy *StrategySpec, p point, err error) error {
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return err
	}
	root, _, _ := strings.Cut(bad.Key, ".")
	var causes []string
	overrides := strategy.Model != nil || strategy.Hardware != nil || strategy.Fleet != nil
	if root == "strategy" && len(e.Spec.Strategies) > 1 || (root == "model" || root == "hardware" || root == "fleet") && overrides {
		causes = append(causes, fmt.Sprintf("strategy %q", strategy.Name))
	}
	for i, axis := range e.Axes {
		if swept, _, _ := strings.Cut(axis.Path, "."); (swept == root || swept == "strategy") && axis.Path != bad.Key {
			causes = append(causes, fmt.Sprintf("%s = %v", axis.Path, p[i]))
		}
	}
	if len(causes) == 0 {
		return bad
	}
	c := *bad
	c.Problem += " (" + strings.Join(causes, ", ") + ")"
	return &c
}
