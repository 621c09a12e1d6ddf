import type { PrinterTroubleKind } from '../../app/domain/print-job.ts';

/** Questions that an ESC/POS printer answers with one byte each, and what the bytes mean (Epson ESC/POS reference: DLE EOT, GS r). */

/** DLE EOT n: asked in real time, answered even while it prints or cannot print. */
export const askState = Uint8Array.of(0x10, 0x04, 1);
export const askOfflineCause = Uint8Array.of(0x10, 0x04, 2);
export const askPaper = Uint8Array.of(0x10, 0x04, 4);
/** GS r 1: stands in line behind what is to be printed, so that its answer tells that all of it was. */
export const askWhenDone = Uint8Array.of(0x1d, 0x72, 1);

/** An answer to DLE EOT has bits 1 and 4 set and bits 0 and 7 clear. */
export function isRealTimeAnswer(byte: number): boolean {
  return (byte & 0b1001_0011) === 0b0001_0010;
}

/** An answer to GS r 1 has bits 4 and 7 clear. */
export function isDoneAnswer(byte: number): boolean {
  return (byte & 0b1001_0000) === 0;
}

export function isOffline(state: number): boolean {
  return (state & 0b0000_1000) !== 0;
}

/** The first thing that a person has to mend. */
export function troubleOf(offlineCause: number, paper: number): PrinterTroubleKind | undefined {
  if ((offlineCause & 0b0000_0100) !== 0) return 'COVER_OPEN';
  if ((paper & 0b0110_0000) !== 0 || (offlineCause & 0b0010_0000) !== 0) return 'PAPER_OUT';
  if ((offlineCause & 0b0100_0000) !== 0) return 'DEVICE_ERROR';
  return undefined;
}
