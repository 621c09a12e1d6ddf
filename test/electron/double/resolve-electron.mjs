const double = new URL('../../../dist/test/electron/double/electron.js', import.meta.url).href;

export async function resolve(specifier, context, next) {
  return specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context);
}
