import * as v from 'valibot'
import { PartName } from './partName.ts'

const Path = v.pipe(
  v.string('The path must be text.'),
  v.regex(
    /^\/[a-z0-9-]+(?:\/[a-z0-9-]+)*$/,
    'Write a path in lower case from the root, without a trailing slash: "/scan".',
  ),
)
const Version = v.pipe(
  v.string('The version must be text.'),
  v.regex(/^\d+\.\d+\.\d+$/, 'Write a version as three numbers: "1.0.0".'),
)
const Range = v.pipe(
  v.string('The range must be text.'),
  v.regex(/^[~^]?\d+\.\d+\.\d+$/, 'Write a range as "^1.0.0", "~1.0.0" or "1.0.0".'),
)
const Text = v.pipe(
  v.string('Must be text.'),
  v.minLength(1, 'The text is empty.'),
  v.maxLength(100, 'The text has more than 100 characters.'),
)

export const VersionRange = Range
export { PartName, ReleaseId } from './partName.ts'

/**
 * Who may open a route (clause 2.31):
 * - `policy`: signed in, and one of the navigation entries that the viewer is permitted is a prefix of the URL;
 * - `session`: any signed-in user, whatever the policy;
 * - `guest`: anyone who is not signed in; signed-in users are redirected (2.03);
 * - `public`: everyone.
 */
export const Guard = v.picklist(
  ['policy', 'session', 'guest', 'public'],
  'A guard is one of policy, session, guest, public.',
)
export type Guard = v.InferOutput<typeof Guard>

/**
 * A URL prefix that belongs to the remote. Among all remotes the longest prefix wins; equal prefixes are refused, and
 * so is one below another part's unless that part lends it.
 */
export const RouteClaim = v.strictObject({ prefix: Path, guard: Guard })
export type RouteClaim = v.InferOutput<typeof RouteClaim>

/** An address below the remote's own, with everything below it, that another part may claim. */
const LentAddress = v.strictObject({ prefix: Path, to: PartName })

/**
 * A module and the action of it that a policy must list; modules outside the five of clause 6.03 are allowed (clause
 * 2.33).
 */
const Permit = v.strictObject({ module: Text, action: Text })
const Needs = v.union([v.literal('session'), Permit], 'The needs are "session" or {module, action}.')

/** An entry of the side navigation (clauses 2.32, 3.18). */
export const NavigationEntry = v.strictObject({
  alias: Text,
  routerLink: v.pipe(
    v.string('The path must be text.'),
    v.regex(/^\/[A-Za-z0-9-]+(?:\/[A-Za-z0-9-]+)*$/, 'Write a path from the root: "/scan".'),
  ),
  fontAwesomeClass: Text,
  /** Only modules flagged as front-end modules are listed (2.32). */
  frontEndModule: v.boolean('frontEndModule is true or false.'),
  /**
   * Absent: shown to every signed-in user. Present: shown if the policy has the module and, where given, the action.
   */
  module: v.optional(Text),
  action: v.optional(Text),
  /** Heading that gathers several entries, such as Account. */
  group: v.optional(Text),
  /** Smaller numbers stand first. */
  order: v.number('order is a number.'),
  /** The letter that leads here after g: "w" for g w. */
  key: v.optional(v.pipe(v.string('The key must be text.'), v.regex(/^[a-z]$/, 'A key is one small letter: "w".'))),
})
export type NavigationEntry = v.InferOutput<typeof NavigationEntry>

/** A card that the remote contributes to the dashboard: `name` is the component that its `./cards` module exports. */
export const DashboardCard = v.strictObject({
  name: v.pipe(
    v.string('The name must be text.'),
    v.regex(/^[A-Z][A-Za-z0-9]*Card$/, 'A card is named like its component: "NewestScansCard".'),
  ),
  title: Text,
  needs: Needs,
  order: v.number('order is a number.'),
  /** Not shown while its component draws nothing, and while it is on its way. */
  mayBeEmpty: v.optional(v.boolean('mayBeEmpty is true or false.')),
  /** As wide as the dashboard, above or below narrower ones. */
  isWide: v.optional(v.boolean('isWide is true or false.')),
})
export type DashboardCard = v.InferOutput<typeof DashboardCard>

/** An action or setting that the command palette offers: an address of the remote, and words that also find it. */
export const PaletteCommand = v.strictObject({
  title: Text,
  routerLink: NavigationEntry.entries.routerLink,
  needs: Needs,
  words: v.optional(Text),
})
export type PaletteCommand = v.InferOutput<typeof PaletteCommand>

/** A search that the command palette asks: `name` is the function that the remote's `./search` module exports. */
export const PaletteSearch = v.strictObject({
  name: v.pipe(
    v.string('The name must be text.'),
    v.regex(/^search[A-Z][A-Za-z0-9]*$/, 'A search is named like its function: "searchReports".'),
  ),
  title: Text,
  needs: Needs,
  /** Smaller numbers stand first. */
  order: v.number('order is a number.'),
})
export type PaletteSearch = v.InferOutput<typeof PaletteSearch>

/** An address with its parameters: `/complaint/detail/:id`. */
const Address = v.pipe(
  v.string('The path must be text.'),
  v.regex(/^(?:\/(?:[a-z0-9-]+|:[A-Za-z]+))+$/, 'Write a path from the root: "/scan".'),
)
const Count = v.number('A number.')
const Query = v.literal('query')

/**
 * Where a property of a first call comes from: a text or number as it stands; the address's parameter or query
 * parameter of the same name; the organization of the viewer.
 */
const InputSource = v.union([
  Text,
  Count,
  v.strictObject({ from: v.picklist(['path', 'organization']) }),
  v.strictObject({ from: Query, default: Count }),
  /** The first is the default. */
  v.strictObject({ from: Query, oneOf: v.pipe(v.array(Count), v.minLength(1)) }),
])

/**
 * A read that the page makes for an address while the code of its screen is on its way. It must be exactly the call
 * that the screen makes first: the screen takes over its answer, and asks by itself where any property differs.
 */
export const FirstCall = v.strictObject({
  at: Address,
  /** Name of the call: `GET /Complaint/list`. */
  call: Text,
  input: v.record(Text, InputSource),
  /** Whose policy has this is shown something else first. */
  unless: v.optional(Permit),
})
export type FirstCall = v.InferOutput<typeof FirstCall>

const FirstCalls = v.pipe(v.array(FirstCall, 'firstCalls is a list.'), v.maxLength(50))

/**
 * A remote's declaration, readable without its code (`remote.json`): the host draws navigation, guards routes and
 * lays out the
 * dashboard from it, and activation compares it with the live releases.
 */
export const Declaration = v.strictObject({
  name: PartName,
  title: Text,
  version: Version,
  routes: v.pipe(v.array(RouteClaim, 'routes is a list.'), v.minLength(1, 'A remote owns at least one route.')),
  lends: v.optional(v.array(LentAddress, 'lends is a list.')),
  navigation: v.array(NavigationEntry, 'navigation is a list.'),
  cards: v.array(DashboardCard, 'cards is a list.'),
  commands: v.optional(v.array(PaletteCommand, 'commands is a list.')),
  searches: v.optional(v.array(PaletteSearch, 'searches is a list.')),
  firstCalls: v.optional(FirstCalls),
  /**
   * The part asks to run in a frame of its own, which reaches nothing of the page. Without it the registry may still
   * hold the part as a guest; only whoever runs the platform takes that away.
   */
  trust: v.optional(v.literal('guest', 'trust is "guest", or is left out.')),
  /** The version ranges of `@dmp/contract` and `@dmp/kit` that the live host must provide. */
  needs: v.strictObject({ contract: Range, kit: Range }),
})
export type Declaration = v.InferOutput<typeof Declaration>

export { getRoute, isFor, isUnder, navigationFor } from './declared.ts'
/** @deprecated since 1.1: `getRoute`. */
export { getRoute as routeOf } from './declared.ts'
