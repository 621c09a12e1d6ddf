import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { portHolder } from '../../app/programs/port-holder.ts';

const server = createServer();
afterEach(() => server.close());

describe('who holds a port', () => {
  it('names this very process and its id', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await portHolder(port)).toContain(`(pid ${process.pid})`);
  });

  it('says nothing of a port that nobody holds', async () => {
    expect(await portHolder(1)).toBeUndefined();
  });
});
