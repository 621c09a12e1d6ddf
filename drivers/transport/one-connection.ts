import { TransportError, type TransportListeners } from './transport.ts';

type State = 'NEW' | 'OPENING' | 'OPEN' | 'CLOSING' | 'CLOSED';

/** The life of one connection, the same for every kind of line: used once, closed once, told once. */
export interface OneConnection {
  begin(): void;
  opened(): void;
  isOpen(): boolean;
  /** False when somebody else already ends or ended it. */
  beginClose(): boolean;
  /** The handle is gone; tells the listener, if the connection was ever open. */
  closed(reason: string): void;
  received(bytes: Uint8Array): void;
  refuseWhenNotOpen(): void;
}

export function createOneConnection(description: string, listeners: TransportListeners): OneConnection {
  let state: State = 'NEW';
  let wasOpen = false;
  return {
    begin() {
      if (state !== 'NEW')
        throw new TransportError('CLOSED', `${description} was used before; a new connection is a new object.`);
      state = 'OPENING';
    },
    opened() {
      state = 'OPEN';
      wasOpen = true;
    },
    isOpen: () => state === 'OPEN',
    beginClose() {
      if (state === 'CLOSING' || state === 'CLOSED') return false;
      state = 'CLOSING';
      return true;
    },
    closed(reason) {
      if (state === 'CLOSED') return;
      state = 'CLOSED';
      if (wasOpen) listeners.onClose(reason);
    },
    received(bytes) {
      if (state === 'OPEN') listeners.onData(bytes);
    },
    refuseWhenNotOpen() {
      if (state !== 'OPEN') throw new TransportError('CLOSED', `${description} is not open; nothing was sent.`);
    },
  };
}
