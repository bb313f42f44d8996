// Sounds, made on the spot.

let context = null;

function tone(frequency, at, length, volume, shape = "sine") {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = shape;
  oscillator.frequency.setValueAtTime(frequency, at);
  oscillator.frequency.exponentialRampToValueAtTime(frequency * 0.6, at + length);
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

/** Plays a kind of sound: `place` with a number of discs turned, `pass`, or `end`. */
export function play(kind, turned = 1) {
  // Before the person has touched the page a browser keeps it silent.
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    if (kind === "place") {
      tone(320, now, 0.09, 0.25, "triangle");
      for (let disc = 0; disc < Math.min(turned, 6); disc++) tone(520 + 40 * disc, now + 0.06 + 0.035 * disc, 0.05, 0.08);
    } else if (kind === "pass") {
      tone(240, now, 0.15, 0.15);
      tone(200, now + 0.15, 0.2, 0.15);
    } else {
      for (const [index, frequency] of [440, 554, 659].entries()) tone(frequency, now + 0.12 * index, 0.4, 0.15);
    }
  } catch {
    // A page without sound is a page all the same.
  }
}
