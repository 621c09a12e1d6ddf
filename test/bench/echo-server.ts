import { createServer } from 'node:http';

/** The baseline's HTTP server: answers each request with its own body. */
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  request.pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`READY ${JSON.stringify({ url: `http://127.0.0.1:${port}/` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
