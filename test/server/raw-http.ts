import { connect } from 'node:net';

/** Sends texts as they are, one after the other, to a port of this machine and resolves with everything that comes back until the peer closes. */
export function rawExchange(port: number, ...parts: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', async () => {
      for (const part of parts) {
        await new Promise((written) => socket.write(part, written));
        await new Promise((later) => setTimeout(later, 20));
      }
    });
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('end', () => resolve(received));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}
