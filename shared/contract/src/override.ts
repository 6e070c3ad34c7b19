import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { exact } from './fields.ts'
import { PartName } from './remote.ts'

/** Names a preview in its address. It is no secret: the server asks who opens it. */
export const PreviewId = v.pipe(
  v.string('Text.'),
  v.regex(/^[0-9a-f]{32}$/, 'A preview is named by 32 hexadecimal digits.'),
)

/** A release of this deployment's store by id or version, or a development server on this computer; nothing else. */
export const OverrideSource = v.pipe(
  v.string('The source must be text.'),
  v.regex(
    /^(?:[0-9a-f]{16}|\d{1,6}\.\d{1,6}\.\d{1,6}|https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):[1-9]\d{0,4})$/,
    'Name a release by its id or version, or a development server as http://localhost:8123.',
  ),
  v.check(
    (text) => !isAddress(text) || Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535,
    'This is not a valid port.',
  ),
)

/** The release of a part that one browser gets in place of the live one. */
export const Override = v.object({
  part: PartName,
  /** The release in the store; absent for a development server. */
  releaseId: v.optional(v.string('Text.')),
  version: v.optional(v.string('Text.')),
  /** The development server; absent for a release. */
  address: v.optional(v.string('Text.')),
  /** The preview that the release is of. Absent from servers before contract 1.11. */
  preview: v.optional(v.object({ id: PreviewId, endsDate: v.string('Text.') })),
})
export type Override = v.InferOutput<typeof Override>

/** Whether the source is a development server. */
export const isAddress = (source: string): boolean => source.startsWith('http')

/**
 * The query parameter that asks for an override: `?dmp-override=remote-scan@http://localhost:8123`; `off` takes all
 * of them out.
 */
export const overrideParameter = 'dmp-override'

/** Reads `remote-scan@<source>` or, shorter, `scan@<source>`; undefined where it is neither. */
export function parseOverride(text: string): { part: string; source: string } | undefined {
  const [, name = '', source = ''] = /^([a-z0-9-]{1,60})@(.{1,60})$/.exec(text) ?? []
  const part = name === 'host' || name === 'viewer' || name.startsWith('remote-') ? name : `remote-${name}`
  return v.is(PartName, part) && v.is(OverrideSource, source) ? { part, source } : undefined
}

/** The query parameter of a preview's address: `?dmp-preview=remote-scan.<id>`. */
export const previewParameter = 'dmp-preview'

/** Reads the value of `previewParameter`; undefined where it is none. */
export function parsePreview(text: string): { part: string; id: string } | undefined {
  const [part, id, ...more] = text.split('.')
  return more.length === 0 && v.is(PartName, part) && v.is(PreviewId, id) ? { part, id } : undefined
}

/**
 * Adds an override for this browser (a cookie); other browsers are not affected. In production for super_admin only.
 */
export const add = endpoint({
  method: 'POST',
  path: '/Override/add',
  summary: 'Let this browser use another release of one part, or a development server on the same computer.',
  needs: 'session',
  body: exact({ part: PartName, source: OverrideSource }),
  answer: Override,
})

/** Removes one override or all. Open to everyone, because it restores the releases that everyone gets. */
export const remove = endpoint({
  method: 'POST',
  path: '/Override/remove',
  summary: 'Return this browser to the live release, of one part or of all.',
  needs: 'nothing',
  body: exact({ part: v.optional(PartName) }),
})
