import { useEffect, useState } from 'preact/hooks';
import { age } from '../../model/words.js';

/** The time once a second, while somebody looks. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long something has lasted. */
export function Age({ since, now }: { readonly since: number; readonly now: number }) {
  return <time dateTime={new Date(since).toISOString()}>{age(now - since)}</time>;
}
