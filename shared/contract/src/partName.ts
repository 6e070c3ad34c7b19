import * as v from 'valibot'

/** Name of a deployable part: the host, the viewer or one remote. */
export const PartName = v.pipe(
  v.string('The name must be text.'),
  v.regex(
    /^(?:host|viewer|remote-[a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/,
    'A part is named "host", "viewer" or "remote-<module>".',
  ),
)
/** Name of an immutable build, made from its content. */
export const ReleaseId = v.pipe(
  v.string('The release must be text.'),
  v.regex(/^[0-9a-f]{16}$/, 'A release is named by 16 hexadecimal digits.'),
)
