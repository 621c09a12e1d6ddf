import { connect, type Socket } from 'node:net';

const positive = Buffer.from('800000', 'hex');
/** Password 000000, configuration BE (till prints, wants intermediate status), EUR, service 00, print texts allowed. */
const registration = Buffer.from('060010000000BE09780300060626040A0206D3', 'hex');
const statusEnquiry = Buffer.from('050103000000', 'hex');

/**
 * The smallest till that can pay at a terminal: registers once; then, as the till does, asks whether it is ready and for a payment, and
 * acknowledges what comes until the completion. It measures the terminal's own share of a sale, so it does nothing else.
 */
export async function openDirectTerminal(
  port: number,
): Promise<{ pay(amountMinor: number): Promise<void>; close(): void }> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  await exchange(socket, registration);
  return {
    pay: async (amountMinor) => {
      await exchange(socket, statusEnquiry);
      await exchange(socket, Buffer.from(`06010A04${String(amountMinor).padStart(12, '0')}490978`, 'hex'));
    },
    close: () => void socket.destroy(),
  };
}

/** Sends a command and acknowledges every message until the completion 06 0F. */
function exchange(socket: Socket, command: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let pending: Buffer = Buffer.alloc(0);
    const finish = (end: () => void) => {
      socket.off('data', take);
      socket.off('close', cut);
      end();
    };
    const cut = () => finish(() => reject(new Error('the terminal closed the line')));
    const take = (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (
        let length = apduLength(pending);
        length !== undefined && length <= pending.length;
        length = apduLength(pending)
      ) {
        const head = pending.subarray(0, 2).toString('hex');
        pending = pending.subarray(length);
        if (head === '8000') continue;
        socket.write(positive);
        if (head === '060f') finish(resolve);
        if (head === '061e') finish(() => reject(new Error('the terminal aborted the payment')));
      }
    };
    socket.on('data', take);
    socket.on('close', cut);
    socket.write(command);
  });
}

/** Whole length of the APDU at the start of `bytes`; undefined while its length field is not there yet. */
function apduLength(bytes: Buffer): number | undefined {
  const short = bytes[2];
  if (short === undefined) return undefined;
  if (short !== 0xff) return 3 + short;
  return bytes.length < 5 ? undefined : 5 + bytes.readUInt16LE(3);
}
