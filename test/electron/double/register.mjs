// node --import: every `import … from 'electron'` gets the built double instead.
import { register } from 'node:module';

register('./resolve-electron.mjs', import.meta.url);
