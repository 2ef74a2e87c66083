import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus in a list when the item that has it goes: it moves to the item that comes next, else to the heading
 * of the list, and never to the top of the page. Not to a button: a key that is pressed twice must not act twice.
 *
 * @param items what selects an item; the place in it that takes the focus has a tabindex of -1, as the heading has.
 * @returns for the element that holds the list.
 */
export function useKeptFocus<Holder extends HTMLElement>(items: string): RefObject<Holder | null> {
  const holder = useRef<Holder>(null);
  const all = () => [...(holder.current?.querySelectorAll(items) ?? [])];
  // Looked at before the items change: afterwards nobody knows where the focus was.
  const focused = document.activeElement;
  const at = holder.current?.contains(focused) ? all().findIndex((item) => item.contains(focused)) : -1;
  useLayoutEffect(() => {
    if (at < 0 || focused?.isConnected) return;
    const left = all();
    const next = left[Math.min(at, left.length - 1)]?.querySelector<HTMLElement>('[tabindex="-1"]');
    const heading = holder.current?.querySelector<HTMLElement>('h2');
    const place = next ?? heading ?? document.getElementById('main');
    place?.focus({ preventScroll: place.id === 'main' });
  });
  return holder;
}
