// Package imports keeps the direction of imports between kneepoint's packages;
// it holds only a test.
package imports
