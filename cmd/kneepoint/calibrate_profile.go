package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kneepoint/experiments/calibrate"
	"kneepoint/units/badinput"
)

// checkProfileTarget refuses to replace a file that calibrate did not write: a profile
// that somebody made by hand cannot be made again.
func checkProfileTarget(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // reading a pipe would wait for ever
		return &badinput.Error{Key: "--out", Value: path, Problem: "is not a file", Allowed: "a new file, or no --out for stdout"}
	}
	text, err := badinput.ReadText(path)
	if os.IsNotExist(err) {
		return checkFolderExists(path)
	}
	if err != nil || !strings.HasPrefix(string(text), calibrate.Marker) {
		return &badinput.Error{Key: "--out", Value: path, Problem: "exists, and was not written by kneepoint calibrate", Allowed: "a new file"}
	}
	return nil
}

// checkFolderExists refuses a path in a folder that is not there, which is more often
// a misspelling than a wish for a new one.
func checkFolderExists(path string) error {
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return &badinput.Error{Key: "--out", Value: path, Problem: "its folder does not exist"}
	}
	return nil
}

// writeProfile writes the profile to a file and the report to stdout, or without a
// path the profile to stdout and the report to stderr: so that it can be piped, and
// the report still be read.
func writeProfile(path, profile, report string, stdout, stderr io.Writer) error {
	if path == "" {
		if _, err := io.WriteString(stderr, report); err != nil {
			return err
		}
		_, err := io.WriteString(stdout, profile)
		return err
	}
	if err := replaceFile(path, profile); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%s\nprofile: %s\n", report, path)
	return err
}

// replaceFile writes a draft beside the file and renames it: if the disk is full, the
// earlier profile is still whole.
func replaceFile(path, text string) error {
	draft := path + ".draft"
	if err := os.WriteFile(draft, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(draft, path)
}
