import type { Clock } from '../../app/ports/clock.ts';
import {
  decodeTlvStream,
  INITIAL_TLV_STATE,
  isOnBoundary,
  type TlvField,
  type TlvStreamState,
} from '../framing/ascii-tlv.ts';
import { concatBytes } from '../framing/bytes.ts';
import { TransportError, type TransportFactory } from '../transport/transport.ts';
import type { Link, LinkListeners } from './link.ts';

export interface TlvLinkRules {
  /** Whether fields that end on a boundary hold what a message must hold. */
  isWhole(fields: readonly TlvField[]): boolean;
  /** Silence after which such fields are the whole message: one more may be on its way. */
  readonly quietMs: number;
  /** Bytes of a message, beyond which the connection is given up. */
  readonly maxMessageBytes: number;
}

/**
 * Messages without an end of their own (Caisse-AP over IP): fields in any fragmentation, which are a message once they hold what it must hold, nothing is
 * half there, and the line is quiet or closed. What ends within a field, or lacks a field, is never a message.
 */
export function createTlvLink(
  createTransport: TransportFactory,
  clock: Clock,
  rules: TlvLinkRules,
  listeners: LinkListeners,
): Link {
  let state: TlvStreamState = INITIAL_TLV_STATE;
  let fields: TlvField[] = [];
  let received: Uint8Array = new Uint8Array();
  let isOpen = false;
  let downReason: string | undefined;
  let stopQuietTimer = (): void => undefined;

  const transport = createTransport({
    onData(bytes) {
      if (!isOpen) return;
      stopQuietTimer();
      take(bytes);
      if (isOpen && isMessage()) stopQuietTimer = clock.after(rules.quietMs, deliver);
    },
    onClose(reason) {
      isOpen = false;
      stopQuietTimer();
      // Nothing more can come: what is whole now is all.
      if (isMessage()) deliver();
      listeners.onDown(downReason ?? reason);
    },
  });

  function take(bytes: Uint8Array): void {
    const step = decodeTlvStream(state, bytes);
    state = step.state;
    received = concatBytes(received, bytes);
    for (const item of step.items) if (item.type === 'field') fields.push({ tag: item.tag, value: item.value });
    if (state.isLost) giveUp('bytes that are no message');
    else if (received.length > rules.maxMessageBytes) giveUp('a message that does not end');
  }

  function isMessage(): boolean {
    return isOnBoundary(state) && rules.isWhole(fields);
  }

  function deliver(): void {
    const message = received;
    reset();
    listeners.onMessage(message);
  }

  function reset(): void {
    stopQuietTimer();
    state = INITIAL_TLV_STATE;
    fields = [];
    received = new Uint8Array();
  }

  /** Nothing of what came is a message, not even what stands before the bytes that are none. */
  function giveUp(what: string): void {
    const byteCount = received.length;
    reset();
    listeners.onReport(what, byteCount);
    void close(`the terminal sent ${what}`);
  }

  async function close(reason?: string): Promise<void> {
    isOpen = false;
    downReason ??= reason;
    await transport.close();
  }

  return {
    description: transport.description,
    isOpen: () => isOpen,
    async open(signal) {
      await transport.open(signal);
      isOpen = true;
    },
    async send(message) {
      if (!isOpen) throw new TransportError('CLOSED', `${transport.description} is not open; nothing was sent.`);
      try {
        await transport.write(message);
        return 'DELIVERED';
      } catch (error) {
        await close('a write failed');
        throw error;
      }
    },
    close,
  };
}
