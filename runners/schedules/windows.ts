export interface Window {
  readonly start: number;
  readonly end: number;
}

/**
 * Windows from the back of the list to its front, max(1, ceil((size - window) / step) + 1) of them. The last one is cut
 * to the front of the list rather than left out, so every passage is seen, and a short list is one window.
 */
export function slidingWindows(size: number, window: number, step: number): Window[] {
  const windows: Window[] = [];
  for (let end = size; ; end -= step) {
    const start = Math.max(0, end - window);
    windows.push({ start, end });
    if (start === 0) return windows;
  }
}
