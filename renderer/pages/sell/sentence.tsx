import { useEffect, useRef } from 'react';
import styles from './panel.module.css';

/** The sentence of a result: read aloud when it appears, and where the keyboard goes on from. */
export function Sentence({ children }: { readonly children: string }) {
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <h2 ref={place} className={styles.sentence} tabIndex={-1} role="alert" data-testid="result">
      {children}
    </h2>
  );
}
