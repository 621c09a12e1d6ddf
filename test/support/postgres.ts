import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';

/** An empty database on the run's PostgreSQL server. A server that cannot be had fails the test: nothing is skipped. */
export async function createPostgresDatabase(): Promise<string> {
  const server = await serverUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  return `${server}${name}`;
}

async function serverUrl(): Promise<string> {
  const socket = connect(inject('postgresPort'), '127.0.0.1');
  const { url, error } = JSON.parse(await text(socket)) as { url?: string; error?: string };
  if (url === undefined) throw new Error(error);
  return url;
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
