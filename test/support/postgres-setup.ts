import { createServer } from 'node:net';
import { createPostgresServer, type PostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Port that tells, once it is asked, the URL of the run's PostgreSQL server. */
    postgresPort: number;
  }
}

/** One PostgreSQL server for a whole test run: started when the first test asks for it, ended with the run. */
export default async function setup(project: {
  provide(name: 'postgresPort', value: number): void;
}): Promise<() => Promise<void>> {
  let running: Promise<PostgresServer> | undefined;
  const door = createServer((socket) => {
    running ??= createPostgresServer();
    running.then(
      ({ url }) => socket.end(JSON.stringify({ url })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  const port = await new Promise<number>((resolve, reject) => {
    door.once('error', reject);
    door.listen(0, '127.0.0.1', () => {
      const address = door.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
  project.provide('postgresPort', port);
  return async () => {
    await new Promise((resolve) => door.close(resolve));
    await (await running?.catch(() => undefined))?.remove();
  };
}
