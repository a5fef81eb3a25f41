package store

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// Build identifies the program that runs: the SHA-256 of its executable file, in
// hexadecimal digits. It differs between any two programs that could compute something
// else: by their sources, whether released, committed or neither, their dependencies,
// their compiler, or the machine that they are for, whose arithmetic may round otherwise.
// Programs that are the same but for their help are told apart too.
var Build = sync.OnceValues(func() (string, error) {
	file, err := openProgram()
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
})

// openProgram opens the executable. Where there is such a file it is what is running,
// even if another program has taken its place by name.
func openProgram() (*os.File, error) {
	if file, err := os.Open("/proc/self/exe"); err == nil {
		return file, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}
