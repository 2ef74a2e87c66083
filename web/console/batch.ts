// Draws the page when it has changed: at the next frame, and not more often than every 100 ms, so that a thousand
// events a second cost ten drawings.

const leastMs = 100;

/** Gives a function that asks for a drawing. */
export function batched(draw: () => void): () => void {
  let asked = false;
  let drawnAt = 0;
  const frame = () => {
    asked = false;
    drawnAt = performance.now();
    draw();
  };
  return () => {
    if (asked) return;
    asked = true;
    const wait = drawnAt + leastMs - performance.now();
    if (wait <= 0) requestAnimationFrame(frame);
    else setTimeout(() => requestAnimationFrame(frame), wait);
  };
}
