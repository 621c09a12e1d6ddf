import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { BridgeError } from '../contract/errors.ts';

/**
 * What the console's page may do: run and load its own files only, and talk to its own origin only. Neither scripts nor styles stand in the page:
 * the theme is a constructed sheet, and single styles are set through the object model, which a policy leaves alone.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const consoleHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), serial=(), hid=()',
};

/** As the build names its files: index-Ab3_xY-9.js */
const hashedName = /-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/;

/** The built screen. Its pages have addresses of their own, which all give the one index.html; files with a hash in their name never change. */
export async function installConsoleFiles(app: FastifyInstance, filesDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: filesDir,
    wildcard: true,
    index: 'index.html',
    cacheControl: false,
    // The build lays a packed twin beside each file, so that no request waits for packing.
    preCompressed: true,
  });
  app.addHook('onSend', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    reply.header('vary', 'accept-encoding');
    const isKept = hashedName.test(path) && (reply.statusCode === 200 || reply.statusCode === 304);
    if (isKept) reply.header('cache-control', 'private, max-age=31536000, immutable');
  });
  app.setNotFoundHandler(async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/\.[A-Za-z0-9]+$/.test(path);
    if (!isPage) throw new BridgeError('NOT_FOUND', 'nothing is known under that path');
    return reply.sendFile('index.html');
  });
}
