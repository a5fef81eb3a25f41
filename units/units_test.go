package units

import (
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]float64{
		"500ms": 0.5, "2s": 2, "5m": 300, "1.5 h": 5400, "10us": 10e-6, "3 min": 180, "-1s": -1, "1e-3s": 1e-3,
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParseSeconds(text); err != nil || float64(got) != want {
				t.Errorf("ParseSeconds(%q) = %v, %v; want %v", text, float64(got), err, want)
			}
		})
	}
	for text, want := range map[string]float64{
		"80GB": 80e9, "64GiB": 64 << 30, "512 B": 512, "1.5TB": 1.5e12,
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParseBytes(text); err != nil || float64(got) != want {
				t.Errorf("ParseBytes(%q) = %v, %v; want %v", text, float64(got), err, want)
			}
		})
	}
	if got, err := ParseBytesPerSecond("50GB/s"); err != nil || got != 50e9 {
		t.Errorf(`ParseBytesPerSecond("50GB/s") = %v, %v`, float64(got), err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "5", "s", "5 parsecs", "NaNs", "infs", "1e999s", "31536001s", "-366d", "1e308s"} {
		if got, err := ParseSeconds(text); err == nil {
			t.Errorf("ParseSeconds(%q) = %v, want an error", text, float64(got))
		}
	}
	for _, text := range []string{"", "80", "80GB/s", "GB"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("ParseBytes(%q) = %v, want an error", text, float64(got))
		}
	}
	for _, text := range []string{"50GB", "50/s", "/s", "1e10GB/s", "1e-19B/s"} {
		if got, err := ParseBytesPerSecond(text); err == nil {
			t.Errorf("ParseBytesPerSecond(%q) = %v, want an error", text, float64(got))
		}
	}
}

func TestString(t *testing.T) {
	for want, got := range map[string]string{
		"0 s":      Seconds(0).String(),
		"850 µs":   Seconds(850e-6).String(),
		"1.00 ms":  Seconds(0.9996e-3).String(),
		"12.3 ms":  Seconds(12.34e-3).String(),
		"1.00 s":   Seconds(0.9999).String(),
		"4.56 s":   Seconds(4.56).String(),
		"10.0 min": Seconds(600).String(),
		"4.00 h":   Seconds(4 * 3600).String(),
		"512 B":    Bytes(512).String(),
		"1.50 KiB": Bytes(1536).String(),
		"80.0 GiB": Bytes(80 << 30).String(),
		"1.00 GiB": Bytes(1<<30 - 1).String(),
	} {
		t.Run(want, func(t *testing.T) {
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestMarshalTextIsShort(t *testing.T) {
	for want, v := range map[string]interface{ MarshalText() ([]byte, error) }{
		"80GiB":    Bytes(80 << 30),
		"80GB":     Bytes(80e9),
		"3.35TB/s": BytesPerSecond(3.35e12),
		"0s":       Seconds(0),
	} {
		t.Run(want, func(t *testing.T) {
			if got, _ := v.MarshalText(); string(got) != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestMarshalTextReadsBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Seconds(rapid.Float64Range(-float64(Longest), float64(Longest)).Draw(t, "seconds"))
		text, _ := s.MarshalText()
		var back Seconds
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Fatalf("%v was written as %q and read as %v (%v)", float64(s), text, float64(back), err)
		}
		b := Bytes(rapid.Float64Range(0, 1e18).Draw(t, "bytes"))
		text, _ = b.MarshalText()
		var bytes Bytes
		if err := bytes.UnmarshalText(text); err != nil || bytes != b {
			t.Fatalf("%v was written as %q and read as %v (%v)", float64(b), text, float64(bytes), err)
		}
	})
}
