import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { exact, maybe } from './fields.ts'
import { limits } from './limits.ts'
import { BuildRecord, Canary, FileName } from './release.ts'
import { PartName, ReleaseId } from './remote.ts'

const Text = v.string('Text.')
const Flag = v.boolean('Yes or no.')
const reason = v.optional(v.pipe(Text, v.maxLength(500, 'Please use at most 500 characters.')))
const fileCount = () => `A build has 1 to ${limits.releaseFiles} files.`
/** Piece by piece: an expression over many megabytes holds everybody up. */
function isBase64(text: string): boolean {
  const content = text.replace(/={1,2}$/, '')
  for (let at = 0; at < content.length; at += 65_536)
    if (!/^[A-Za-z0-9+/]*$/.test(content.slice(at, at + 65_536))) return false
  return true
}
const Base64 = v.pipe(Text, v.check(isBase64, 'This content is not base64.'))

/** One thing that the platform looked at. */
export const Judgement = v.object({
  /**
   * `needs`, `routes`, `contract`, `calls`, `names`, `styles`, `budget`, `files`, `signature`, `journey <part>`,
   * `accessibility <part>`, or `looks <part>`.
   */
  check: Text,
  passed: Flag,
  /** What was seen, in one sentence. */
  says: Text,
  cure: maybe(Text),
  /**
   * JPEG in base64, of the trial with the people and scans of the demo: the screen where a journey failed, or the first
   * screen of the part (`looks <part>`), beside that of the release that is live where its trial kept one.
   */
  pictures: v.optional(v.object({ seen: Text, live: v.optional(Text) })),
})
export type Judgement = v.InferOutput<typeof Judgement>

/** What the platform says of a release beside what is live now. */
export const JudgedRelease = v.object({
  part: PartName,
  releaseId: ReleaseId,
  /** Whether it could go live now. */
  passed: Flag,
  findings: v.array(Judgement, 'A list.'),
})
export type JudgedRelease = v.InferOutput<typeof JudgedRelease>

/**
 * A finished build comes in: the server names it by its content, stores it and judges it. Nothing goes live. The same
 * build again adds nothing.
 */
export const publish = endpoint({
  method: 'PUT',
  path: '/Release/publish/:part',
  summary: 'Bring a finished build of one part; the server stores and judges it, and nothing goes live.',
  needs: may('Release', 'Publish'),
  isForMachines: true,
  bodyLimit: limits.releaseBytes,
  params: exact({ part: PartName }),
  body: exact({
    record: BuildRecord,
    commit: v.pipe(Text, v.regex(/^(?:unknown|[0-9a-f]{7,64}\+?)$/, 'A commit is named by its hexadecimal digits.')),
    files: v.pipe(
      v.array(exact({ path: FileName, content: Base64 }), 'A list.'),
      v.minLength(1, fileCount),
      v.maxLength(limits.releaseFiles, fileCount),
    ),
    /** Which packages are in it (CycloneDX), in base64. */
    billOfMaterials: v.optional(Base64),
  }),
  answer: v.object({
    ...JudgedRelease.entries,
    isNew: Flag,
    /** As the server stored it: what a signature is about. */
    publishedAt: Text,
    commit: Text,
    files: v.number('A number.'),
    brotliBytes: v.number('A number.'),
  }),
})

/** The envelope (DSSE) of a statement about the release as it is stored, by a key of the part. */
export const sign = endpoint({
  method: 'PUT',
  path: '/Release/sign/:part/:releaseId',
  summary: 'Add the signature of a release key of the part to a stored release.',
  needs: may('Release', 'Publish'),
  isForMachines: true,
  bodyLimit: 524_288,
  params: exact({ part: PartName, releaseId: ReleaseId }),
  body: exact({ envelope: Text }),
})

export const judge = endpoint({
  method: 'GET',
  path: '/Release/judge',
  summary: 'What the platform says of a release beside what is live now.',
  needs: may('Release', 'Get'),
  isForMachines: true,
  query: exact({ part: PartName, releaseId: ReleaseId }),
  answer: JudgedRelease,
})

/** The state of one part, without people and figures. */
export const PartState = v.object({
  part: PartName,
  live: maybe(ReleaseId),
  canary: maybe(
    v.object({
      releaseId: ReleaseId,
      percent: Canary.entries.percent,
      /** How many people are named. */
      users: v.optional(v.number('A number.')),
      /** It asks to be a guest: for those who get it. */
      isGuest: v.optional(Flag),
    }),
  ),
  /** Present for a guest: because its live release asks for it, or because the registry holds it as one. */
  guest: v.optional(v.picklist(['release', 'registry'], 'Text.')),
  /** Whether whoever published a release may not make it live alone. */
  needsTwoPeople: Flag,
})
export type PartState = v.InferOutput<typeof PartState>

export const getPart = endpoint({
  method: 'GET',
  path: '/Release/getPart',
  summary: 'What is live of one part, and its canary.',
  needs: may('Release', 'Get'),
  isForMachines: true,
  query: exact({ part: PartName }),
  answer: PartState,
})

/** Why it goes without the trial in a browser. Needs a right of its own, and every super administrator is told. */
const unchecked = v.optional(
  v.pipe(
    Text,
    v.trim(),
    v.nonEmpty('Say why it goes without the trial.'),
    v.maxLength(500, 'Please use at most 500 characters.'),
  ),
)

/** Refused where the platform's judgement is not good, and where the part wants another person than its publisher. */
export const activate = endpoint({
  method: 'POST',
  path: '/Release/activate',
  summary: 'Make a stored release of one part live for everyone.',
  needs: may('Release', 'Activate'),
  isForMachines: true,
  body: exact({ part: PartName, releaseId: ReleaseId, reason, unchecked }),
  answer: PartState,
})

/** At most half of the people: more is what `activate` is for. */
export const startCanary = endpoint({
  method: 'POST',
  path: '/Release/startCanary',
  summary: 'Give a stored release to some people first.',
  needs: may('Release', 'Canary'),
  isForMachines: true,
  body: exact({
    part: PartName,
    releaseId: ReleaseId,
    percent: v.pipe(Canary.entries.percent, v.maxValue(50, 'A canary begins with 50 percent at most.')),
    users: v.optional(
      v.pipe(
        v.array(
          v.pipe(Text, v.trim(), v.toLowerCase(), v.maxLength(500, 'Please use at most 500 characters.')),
          'A list.',
        ),
        v.maxLength(100, 'A canary names at most 100 people.'),
      ),
      [],
    ),
    reason,
    unchecked,
  }),
  answer: PartState,
})

/** Which calls this server answers, each with a hash of its shape; releases are compared with it. */
export const contract = endpoint({
  method: 'GET',
  path: '/Release/contract',
  summary: 'The calls that this server answers, each with a hash of its shape.',
  needs: 'nothing',
  answer: v.object({
    version: Text,
    calls: v.array(v.object({ name: Text, hash: Text }), 'A list.'),
  }),
})

export const getCallShape = endpoint({
  method: 'GET',
  path: '/Release/getCallShape',
  summary: 'The shape of one call that this server answers.',
  needs: 'nothing',
  query: exact({ name: v.pipe(Text, v.maxLength(500, 'Please use at most 500 characters.')) }),
  answer: v.object({ name: Text, hash: Text, shape: Text }),
})
