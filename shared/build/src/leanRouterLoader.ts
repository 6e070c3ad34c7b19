/** What is left out of react-router's script, as that writes it, and what stands there then. */
const changes: readonly (readonly [from: RegExp | string, to: string])[] = [
  // Names for developer tools: webpack keeps whatever has one, such as `Form` with all that sends it.
  [/^\w+\.displayName = "\w+";$/gm, ''],
  [/(?<=^var \w+ = )(?=\w+\.(?:createContext|forwardRef|memo)\()/gm, '/* @__PURE__ */ '],
  // The package gives bundlers its script for development, which differs from the other in this alone.
  ['var ENABLE_DEV_WARNINGS = true;', 'var ENABLE_DEV_WARNINGS = false;'],
  // A link asks for its page ahead by a manifest of routes, which only pages of the package's own framework have.
  ['usePrefetchBehavior(\n      prefetch,\n      rest\n    )', '[]'],
  ['shouldPrefetch && !isAbsolute ?', 'false ?'],
]

/**
 * Leaves out of react-router what no page here has and every page would carry before anything is drawn. A new version
 * that is written in another way fails the build.
 */
export default function leanRouterLoader(source: string): string {
  // Other scripts of the package have no links.
  if (!source.includes('function LinkWithRef(')) return source
  return changes.reduce((text, [from, to]) => {
    const changed = text.replaceAll(from, to)
    if (changed === text) throw new Error(`react-router is written in another way: ${from} is not in it.`)
    return changed
  }, source)
}
