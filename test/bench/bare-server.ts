import { fastify } from 'fastify';

/** The baseline of a cold start: a bundled Fastify with one route and nothing else. */
const app = fastify();
app.get('/health', async () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.on('SIGTERM', () => process.exit(0));
