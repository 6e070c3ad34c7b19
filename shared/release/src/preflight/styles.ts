import type { Release } from '@dmp/contract/release'
import type { ReleaseStore } from '../store/ReleaseStore.ts'
import { releaseKey } from '../store/ReleaseStore.ts'

/** A selector of a part's styles that reaches what is not the part's. */
export interface ReachingStyle {
  readonly file: string
  readonly selector: string
}

/** The first style of a remote that could reach the shell or another part; undefined if there is none. */
export async function findReachingStyle(store: ReleaseStore, release: Release): Promise<ReachingStyle | undefined> {
  for (const { path } of release.files.filter((file) => file.path.endsWith('.css'))) {
    const content = await store.read(releaseKey(release.name, release.releaseId, path))
    const selector = listSelectors(content?.toString('utf8') ?? '').find(isReaching)
    if (selector !== undefined) return { file: path, selector }
  }
  return undefined
}

/**
 * The selectors of a style sheet, also those inside of `@media` and its like. What is nested in a rule stands below
 * that rule's selector, and frames of animations select nothing.
 */
function listSelectors(css: string): string[] {
  const text = withoutTexts(css)
  const selectors: string[] = []
  // Of the blocks around a place: whether rules in them are judged.
  const around: boolean[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '{') {
      const prelude = text.slice(start, at).trim()
      const isJudged = around.at(-1) ?? true
      if (isJudged && !prelude.startsWith('@')) selectors.push(...splitList(prelude))
      around.push(isJudged && /^@(?:media|supports|layer|container|starting-style)\b/.test(prelude))
    }
    if (sign === '}') around.pop()
    if (sign === '{' || sign === '}' || sign === ';') start = at + 1
  }
  return selectors
}

/** The sheet without its comments, and with nothing in its quotes. */
function withoutTexts(css: string): string {
  const kept: string[] = []
  for (let at = 0; at < css.length;) {
    const sign = css.charAt(at)
    if (sign === '"' || sign === "'") {
      let end = at + 1
      while (end < css.length && css[end] !== sign) end += css[end] === '\\' ? 2 : 1
      kept.push('""')
      at = end + 1
    } else if (css.startsWith('/*', at)) {
      const end = css.indexOf('*/', at + 2)
      at = end < 0 ? css.length : end + 2
    } else {
      kept.push(sign)
      at += 1
    }
  }
  return kept.join('')
}

/** Blanks what stands in brackets: only what is outside of them narrows where a selector reaches. */
function blankBrackets(text: string): string {
  const blanked = text.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, (bracket) => '\0'.repeat(bracket.length))
  return blanked === text ? text : blankBrackets(blanked)
}

function splitList(prelude: string): string[] {
  let start = 0
  return blankBrackets(prelude)
    .split(',')
    .map((part) => prelude.slice(start, (start += part.length + 1) - 1).trim())
}

/** Classes of the shell, of the kit and of the library below it: everybody's screens have them. */
const shared = /^(?:dmp|ant|anticon)(?:-|$)/

/** Whether no element on a selector's way has a class of the part's own; the page itself is no part's. */
const isReaching = (selector: string): boolean =>
  !blankBrackets(selector)
    .split(/[\s>+~]+/)
    .some(
      (element) =>
        !/^(?:html|body)\b|:root\b/.test(element) &&
        [...element.matchAll(/\.(-?[A-Za-z_\\][\w\\-]*)/g)].some(([, name = '']) => !shared.test(name)),
    )
