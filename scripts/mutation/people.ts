import type { Change, Syntax } from './faults.ts'
import {
  replace,
  cut,
  textOf,
  brief,
  childrenOf,
  keyOf,
  expressionOf,
  methodOf,
  objectOf,
  onlyStep,
  dropFromList,
  inTemplate,
  isAwaited,
  isReturnInTry,
  isLast,
  isAudit,
  isStatementOf,
  isArgument,
  isListed,
  isRefreshes,
  isEffect,
  isHeaders,
  shownBy,
  isExchangeable,
} from './syntax.ts'

/** A node in its source, with everything around it, the nearest first. */
interface Place {
  node: Syntax
  parents: Syntax[]
  source: string
}

type Find = (place: Place) => { start: number; end: number; text: string; what: string }[]

/**
 * Faults of omission, place and time, as people make them while they change something else. Each kind lists what it
 * would do at a node.
 *
 * Left out, because nobody could notice: what only gives way to others (`pause`, `setImmediate`), what only closes at
 * the end, `.limit(1)` of a query that takes one row, effects that begin again what they have ended, and pairs whose
 * order means nothing. A dropped `await` is written as `void`.
 */
const kinds = {
  /** The order of two steps, or who hears of a failure. */
  await: ({ node, parents, source }) =>
    isAwaited(node) && !isLast(node, parents) && !isAudit(expressionOf(node), source)
      ? [replace(node.start, node.start + 'await'.length, 'void', `"${brief(node, source)}" is no longer awaited`)]
      : isReturnInTry(node, parents)
        ? [
            cut(
              expressionOf(node).start,
              expressionOf(expressionOf(node)).start,
              `"${brief(node, source)}" fails outside of its try`,
            ),
          ]
        : [],

  /** Answered before what the answer says is done. */
  early: ({ node, parents, source }) =>
    isAwaited(node) && isLast(node, parents) && !isAudit(expressionOf(node), source)
      ? [
          replace(
            node.start,
            node.start + 'await'.length,
            'void',
            `the answer does not wait for "${brief(node, source)}"`,
          ),
        ]
      : [],

  where: ({ node, source }) =>
    /^(?:where|whereRef|having|filter|orderBy|limit|distinct)$/.test(methodOf(node)) &&
    !textOf(node, source).endsWith('(1)')
      ? [cut(objectOf(node).end, node.end, `"${brief({ ...node, start: objectOf(node).end }, source)}" is dropped`)]
      : [],

  signal: ({ node, parents, source }) =>
    (node.type === 'Property' && /^signal$/.test(keyOf(node)) && parents[0]?.type === 'ObjectExpression') ||
    (/^(?:Identifier|MemberExpression)$/.test(node.type) &&
      /(?:^|\.)signal$/.test(textOf(node, source)) &&
      isArgument(node, parents))
      ? [dropFromList(node, parents, `"${brief(node, source)}" is not passed on to ${brief(parents[0]!, source)}`)]
      : isStatementOf(node, /^(?:throwIfAborted|abort)$/)
        ? [cut(node.start, node.end, `"${brief(node, source)}" is dropped`)]
        : [],

  cleanup: ({ node, parents, source }) => {
    if (node.type === 'TryStatement' && node.finalizer) {
      const last = node.finalizer as Syntax
      return [replace(last.start, last.end, '{}', `"finally ${brief(last, source)}" does nothing`)]
    }
    if (methodOf(node) === 'finally')
      return [
        cut(objectOf(node).end, node.end, `"${brief({ ...node, start: objectOf(node).end }, source)}" is dropped`),
      ]
    if (node.type === 'ReturnStatement' && /^return [^u]/.test(textOf(node, source)) && isEffect(parents))
      return [cut(node.start, node.end, `the effect leaves behind "${brief(node, source)}"`)]
    if (node.type === 'CallExpression' && parents[0]?.type === 'ArrowFunctionExpression' && isEffect(parents))
      return [replace(node.start, node.start, 'void ', `the effect leaves behind "${brief(node, source)}"`)]
    return isStatementOf(
      node,
      /^(?:clearTimeout|clearInterval|removeEventListener|revokeObjectURL|unsubscribe|off|destroy|release|close|rm|unlink|remove|disconnect|free|stop|end)$/,
    )
      ? [cut(node.start, node.end, `"${brief(node, source)}" is dropped`)]
      : []
  },

  invalidation: ({ node, parents, source }) =>
    isListed(node, parents) && isRefreshes(parents.slice(1))
      ? [dropFromList(node, parents, `"${brief(node, source)}" is not asked again`)]
      : node.type === 'Property' && keyOf(node) === 'refreshes' && parents[0]?.type === 'ObjectExpression'
        ? [dropFromList(node, parents, `"${brief(node, source)}" is dropped`)]
        : isStatementOf(
              node,
              /^(?:refresh\w*|updateCache|invalidateQueries|removeQueries|announce|forget\w*|clear|delete)$/,
            )
          ? [cut(node.start, node.end, `"${brief(node, source)}" is dropped`)]
          : [],

  audit: ({ node, parents, source }) =>
    node.type === 'ExpressionStatement' && isAudit(expressionOf(node), source)
      ? [cut(node.start, node.end, `"${brief(node, source)}" is dropped`)]
      : isAudit(node, source) && parents[0]?.type === 'ArrowFunctionExpression'
        ? [replace(node.start, node.end, 'Promise.resolve()', `"${brief(node, source)}" is dropped`)]
        : node.type === 'Property' && /^(?:organizationId|outcome)$/.test(keyOf(node)) && isAudit(parents[1], source)
          ? [
              dropFromList(
                node,
                parents,
                `the entry is without "${brief(node, source)}": ${brief(parents[1]!, source)}`,
              ),
            ]
          : [],

  header: ({ node, parents, source }) =>
    node.type === 'Property' && isHeaders(parents)
      ? [dropFromList(node, parents, `the header "${brief(node, source)}" is dropped`)]
      : methodOf(node) === 'header' && textOf(node, source).startsWith('reply')
        ? [cut(objectOf(node).end, node.end, `"${brief({ ...node, start: objectOf(node).end }, source)}" is dropped`)]
        : isStatementOf(node, /^setHeader$/)
          ? [cut(node.start, node.end, `"${brief(node, source)}" is dropped`)]
          : [],

  /** Two neighbours of the same type: fields, arguments, what two columns show. */
  swap: ({ node, source }) => {
    const properties = childrenOf(node, 'properties')
    const list =
      node.type === 'ObjectExpression'
        ? properties.map(({ type, value }) =>
            type === 'Property' && (value as Syntax).type !== 'ArrowFunctionExpression' ? (value as Syntax) : undefined,
          )
        : node.type === 'ArrayExpression'
          ? childrenOf(node, 'elements').map(shownBy)
          : node.type === 'CallExpression' && !/^(?:push|add|concat|all|min|max)$/.test(methodOf(node))
            ? childrenOf(node, 'arguments').filter(({ type }) => type !== 'ArrowFunctionExpression')
            : []
    return list.slice(1).flatMap((other, at) => {
      const one = list[at]
      if (!one || !other || !isExchangeable(one, other, source)) return []
      const keyIn = (index: number) => (properties[index]?.shorthand === true ? `${keyOf(properties[index])}: ` : '')
      const [first, second] = [textOf(one, source), textOf(other, source)]
      const text = keyIn(at) + second + source.slice(one.end, other.start) + keyIn(at + 1) + first
      return [
        replace(one.start, other.end, text, `"${brief(one, source)}" and "${brief(other, source)}" are exchanged`),
      ]
    })
  },

  unit: ({ node, source }) => {
    if (node.type === 'BinaryExpression' && /^[*/]$/.test(String(node.operator))) {
      const [left, right] = [node.left as Syntax, node.right as Syntax]
      return /^(?:1_?000|1_?000_?000|1024|60|60_000|24|3600)$|(?:day|hour|minute|second)(?:Ms|Seconds)?$/i.test(
        textOf(right, source),
      )
        ? [
            cut(
              left.end,
              node.end,
              `"${brief(node, source)}" is without ${String(node.operator)} ${textOf(right, source)}`,
            ),
          ]
        : []
    }
    const units: Record<string, string> = {
      day: 'hour',
      hour: 'day',
      minute: 'hour',
      second: 'minute',
      secs: 'mins',
      days: 'hours',
      hours: 'days',
    }
    return inTemplate(
      node,
      source,
      /\b(?:day|hour|minute|second)(?=s?')|\b(?:secs|days|hours)(?= =>)/g,
      (word) => units[word]!,
    )
  },

  zone: ({ node, parents, source }) => {
    const name = node.type === 'MemberExpression' ? textOf(node.property as Syntax, source) : ''
    const { end } = (node.property as Syntax | undefined) ?? node
    if (/^[gs]etUTC/.test(name))
      return [replace(end - name.length, end, name.replace('UTC', ''), `${name} reads local time`)]
    if (/^[gs]et(?:Hours|Minutes|Date|Day|Month|FullYear)$/.test(name))
      return [replace(end - name.length, end, name.replace(/^.et/, '$&UTC'), `${name} reads UTC`)]
    if (node.type === 'Property' && keyOf(node) === 'timeZone' && parents[0]?.type === 'ObjectExpression')
      return [dropFromList(node, parents, `"${brief(node, source)}" is dropped`)]
    return inTemplate(
      node,
      source,
      / at time zone (?:'\w+'|$)/g,
      (word) => (word.endsWith("'") ? '' : ' at time zone '),
      'zone',
    )
  },

  /** What was to happen once. */
  repeat: ({ node, parents, source }) => {
    if (
      node.type === 'IfStatement' &&
      !node.alternate &&
      /^(?:return|continue);?$/.test(textOf(onlyStep(node.consequent as Syntax), source))
    )
      return [cut(node.start, node.end, `the guard "${brief(node, source)}" is dropped`)]
    if (node.type === 'Property' && keyOf(node) === 'once')
      return [dropFromList(node, parents, `"${brief(node, source)}" is dropped`)]
    if (node.operator === '??=' && (node.left as Syntax).computed === true)
      return [
        replace(
          (node.left as Syntax).end,
          (node.right as Syntax).start,
          ' = ',
          `"${brief(node, source)}" is done each time`,
        ),
      ]
    if (methodOf(node) === 'onConflict')
      return [
        cut(objectOf(node).end, node.end, `"${brief({ ...node, start: objectOf(node).end }, source)}" is dropped`),
      ]
    const [effect, dependencies] = childrenOf(node, 'arguments')
    if (
      node.type === 'CallExpression' &&
      textOf(node.callee as Syntax, source) === 'useEffect' &&
      effect &&
      dependencies &&
      !/return |=> \(?\)?\s*=>|=> on[A-Z]/.test(textOf(effect, source))
    )
      return [cut(effect.end, dependencies.end, `the effect runs each time: ${brief(effect, source)}`)]
    return node.type === 'JSXAttribute' && /^(?:disabled|loading)=\{/.test(textOf(node, source))
      ? [cut(node.start, node.end, `"${brief(node, source)}" is dropped`)]
      : []
  },
} satisfies Record<string, Find>

export type PeopleKind = keyof typeof kinds

export const findPeopleChanges = (node: Syntax, parents: Syntax[], source: string): Change[] =>
  Object.entries<Find>(kinds).flatMap(([kind, find]) =>
    find({ node, parents, source }).map((change) => ({ kind: kind as PeopleKind, ...change })),
  )
