import { IconNfc } from '@tabler/icons-react';
import styles from './terminal-drawing.module.css';

export interface TerminalDrawingProps {
  readonly terminalId: string;
  /** What its display shows: the first line large. */
  readonly headline: string;
  readonly text?: string | undefined;
  /** The reader is on: a card may come. */
  readonly isWaiting: boolean;
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '✱', '0', '#'] as const;

/** The terminal as it stands before the customer. A picture: nothing on it can be pressed. */
export function TerminalDrawing({ terminalId, headline, text, isWaiting }: TerminalDrawingProps) {
  return (
    <figure className={styles.terminal}>
      <div className={styles.display} data-testid="terminal-display">
        <p>{headline}</p>
        {text === undefined ? null : <p>{text}</p>}
      </div>
      <IconNfc className={styles.reader} data-lit={isWaiting} size={32} stroke={1.75} aria-hidden />
      <div className={styles.keys} aria-hidden>
        {keys.map((key) => (
          <span key={key}>{key}</span>
        ))}
        <span data-key="STOP">×</span>
        <span data-key="CORR">‹</span>
        <span data-key="OK">○</span>
      </div>
      <span className={styles.slot} aria-hidden />
      <figcaption>{terminalId}</figcaption>
    </figure>
  );
}
