package store

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
)

// Build identifies the program that runs, in hexadecimal digits. It differs between any two programs that could compute something
// else: by their sources, whether released, committed or neither, their dependencies,
// their compiler, or the machine that they are for, whose arithmetic may round otherwise.
// Programs that are the same but for their help are told apart too. It is the SHA-256 of the build ID that the
// go command has written into the program, the last part of which is a hash of its content; of the whole file where
// there is none, which takes twice as long as all else that a run begins with.
var Build = sync.OnceValues(func() (string, error) {
	file, err := openProgram()
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if id := buildID(file); id != "" {
		hash.Write([]byte(id))
	} else if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
})

// buildID is that of a program in the format of Linux; nothing where it has none that the go command made, in four parts.
//
// Source: cmd/go/internal/work/buildid.go, actionID/actionID of main/contentID of main/contentID; the note is a header of
// three words, the name "Go" and the ID.
func buildID(program io.ReaderAt) string {
	const header = 16
	file, err := elf.NewFile(program)
	if err != nil {
		return ""
	}
	section := file.Section(".note.go.buildid")
	if section == nil {
		return ""
	}
	note, err := section.Data()
	if err != nil || len(note) < header {
		return ""
	}
	id := string(note[header:])
	if n := int(file.ByteOrder.Uint32(note[4:])); n < len(id) {
		id = id[:n]
	}
	if !hasContent(id) {
		return ""
	}
	return id
}

// hasContent tells whether a build ID ends with the hash of a program's content: whoever builds may have another one written.
func hasContent(id string) bool {
	parts := strings.Split(id, "/")
	return len(parts) == 4 && !slices.Contains(parts, "")
}

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
