/**
 * The rules and messages of docs/product.md, section 5, field by field. Forms and the server use the same schemas, so
 * that a rule is
 * written once. Every message is our own text: valibot's defaults would echo the input, passwords among it.
 */
import * as v from 'valibot'
import { limits } from './limits.ts'

export const messages = {
  required: 'This field is required!',
  email: 'Please enter a valid email.',
  phone: 'Only numbers, +, -, and space allowed',
  name: 'Only alphanumericals, - and _ allowed',
  password:
    'Password should not start or end with spaces and must be at least 12 characters long. Please include at least one special character (!@#$%^&*), one uppercase letter, one lowercase letter and one number!',
  passwordCharacters: 'Please use only letters from A to Z, numbers, spaces and the special characters !@#$%^&*.',
  passwordsMatch: 'Please ensure the passwords match!',
  pattern: 'Did not enter text matching regex pattern',
} as const

/** What a schema says, read when it says it: a page's language may come after its modules. */
export type Message = string | (() => string)

/** The message for limits without a sentence in the specification. */
export const atMost = (characters: number): string => `Please use at most ${characters} characters.`

/** What an object says of a property that it does not know; of a missing one it says what the property itself would. */
export const unknownProperty = () => 'Unknown property.'

/** What is said of values that programs send and people never type, where they are missing. */
export const missingValues = {
  id: 'This id is missing.',
  uid: 'This UID is missing.',
  date: 'This date is missing.',
} as const

/** An object schema that refuses unknown properties instead of ignoring them (P03). */
export const exact = <const E extends v.ObjectEntries>(entries: E) =>
  v.strictObject(entries, (issue) => {
    if (issue.expected === 'Object') return issue.input === undefined ? messages.required : 'An object belongs here.'
    const key = String(issue.path?.at(-1)?.key)
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined
    if (!entry || issue.expected === 'never') return unknownProperty()
    return (v.safeParse(entry as v.GenericSchema, undefined).issues?.[0] ?? { message: messages.required }).message
  })

/** Required text; `missing` is the message without it. */
export const required = (missing: Message = () => messages.required) => v.pipe(v.string(missing), v.nonEmpty(missing))

export const Uuid = v.pipe(
  v.string(() => missingValues.id),
  v.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'This is not an id of this platform.'),
)

/** An id that a person picks from a list (5.08, 5.17). */
export const ChosenId = v.pipe(required(), Uuid)

/** A DICOM unique identifier (PS3.5, 9.1): digits and dots, at most 64 characters. */
export const Uid = v.pipe(
  v.string(() => missingValues.uid),
  v.maxLength(64, 'A UID has at most 64 characters.'),
  v.regex(/^[0-9]+(?:\.[0-9]+)*$/, 'This is not a DICOM UID.'),
)

/** An instant, ISO 8601 in UTC. */
export const Instant = v.pipe(
  v.string(() => missingValues.date),
  v.isoTimestamp('This is not an ISO 8601 date and time.'),
)

/** 5.04: an email of at most 255 characters. */
export const Email = v.pipe(
  required(),
  v.maxLength(limits.emailMaxChars, () => atMost(limits.emailMaxChars)),
  v.email(() => messages.email),
)

/** The password at sign-in: only required (5.03) and limited in length (9.03). */
export const Password = v.pipe(
  required(),
  v.maxLength(limits.passwordMaxChars, () => atMost(limits.passwordMaxChars)),
)

const hasOnlyAllowed = (text: string): boolean => /^[A-Za-z0-9!@#$%^&* ]*$/.test(text)

/** 5.01: the rules for new passwords; the strength meter shows them one by one. */
export const passwordRules = [
  { label: 'At least 12 characters', test: (text: string) => text.length >= limits.newPasswordMinChars },
  { label: 'One uppercase letter', test: (text: string) => /[A-Z]/.test(text) },
  { label: 'One lowercase letter', test: (text: string) => /[a-z]/.test(text) },
  { label: 'One number', test: (text: string) => /[0-9]/.test(text) },
  // A space counts as special only inside the password; at the ends it is refused.
  { label: 'One special character (!@#$%^&* or a space)', test: (text: string) => /[!@#$%^&* ]/.test(text) },
  { label: 'Only letters, numbers and these special characters', test: hasOnlyAllowed },
  { label: 'No space at the start or the end', test: (text: string) => text.trim() === text },
] as const

/** The sentence of 5.17 does not name this rule, and would name those that are met. */
const isWrongInCharacters = (text: string): boolean =>
  passwordRules.every(({ test }) => test === hasOnlyAllowed || test(text))

/** 5.01: the rule for new passwords. */
export const NewPassword = v.pipe(
  required(),
  v.maxLength(limits.passwordMaxChars, () => atMost(limits.passwordMaxChars)),
  v.check(
    (text) => passwordRules.every((rule) => rule.test(text)),
    ({ input }) => (isWrongInCharacters(input) ? messages.passwordCharacters : messages.password),
  ),
)

/** 5.03: required, at most 6 characters. */
export const MfaCode = v.pipe(
  required(),
  v.maxLength(limits.mfaCodeMaxChars, () => atMost(limits.mfaCodeMaxChars)),
)

/** 5.06; `missing` is 'Please enter a first name.' or 'Please enter a last name.' */
export const personName = (missing: Message) =>
  v.pipe(
    required(missing),
    v.maxLength(limits.personNameMaxChars, () => atMost(limits.personNameMaxChars)),
    v.regex(/^[\p{L}\p{M}0-9_ -]+$/u, () => messages.name),
    v.check((text) => text.trim() !== '', missing),
    v.trim(),
  )

/** 5.05: optional; an empty field is the same as none. */
export const Phone = v.optional(
  v.nullable(
    v.pipe(
      v.string(() => messages.phone),
      v.maxLength(limits.phoneMaxChars, () => atMost(limits.phoneMaxChars)),
      v.regex(/^[0-9+\- ]*$/, () => messages.phone),
      v.transform((text) => (text.trim() === '' ? null : text.trim())),
    ),
  ),
  null,
)

/** 5.07: the titles to pick from. */
export const civilities = ['Mr', 'Mrs', 'Ms', 'Dr', 'Prof'] as const
export const Civility = v.picklist(civilities, ({ input }) =>
  input === undefined || input === null || input === ''
    ? messages.required
    : `Please choose one of: ${civilities.join(', ')}.`,
)

/** 5.11, 5.12, 5.16: required, 1-255, letters, digits, hyphen and underscore. */
export const organizationName = (missing: Message) =>
  v.pipe(
    v.string(missing),
    // Copied from a mail, it brings blanks along.
    v.trim(),
    v.nonEmpty(missing),
    v.maxLength(limits.organizationNameMaxChars, () => atMost(limits.organizationNameMaxChars)),
    v.regex(/^[\p{L}\p{M}0-9_-]+$/u, () => messages.name),
  )

/** Alphabets whose letters look like those of another one. */
const alphabets = [/\p{sc=Latin}/u, /\p{sc=Greek}/u, /\p{sc=Cyrillic}/u, /\p{sc=Armenian}/u, /\p{sc=Cherokee}/u]
const isOneAlphabet = (text: string): boolean => alphabets.filter((alphabet) => alphabet.test(text)).length <= 1

/**
 * 5.11, 5.16: a name that an organization takes. Scans are transferred by it, so that it must not pass for another
 * one's: each letter has one spelling (NFC), and all are of one alphabet.
 */
export const newOrganizationName = (missing: Message) =>
  v.pipe(
    organizationName(missing),
    v.regex(/^\P{M}/u, () => messages.name),
    v.check(
      isOneAlphabet,
      'These letters are of several alphabets, so that the name could pass for another one. Use one alphabet.',
    ),
    v.transform((text) => text.normalize('NFC')),
  )

/** 4.01, 4.05, 5.10: a comment that is not blank. */
export const Comment = v.pipe(
  required(),
  v.maxLength(limits.commentMaxChars, () => atMost(limits.commentMaxChars)),
  v.check(
    (text) => text.trim() !== '',
    () => messages.required,
  ),
)

/** A checkbox that has to be ticked to continue (5.02, 5.12, 5.13, 5.14, 5.16). */
export const Ticked = (missing: Message = () => messages.required) => v.literal(true, missing)

/** An optional value of an answer; `null` when absent. */
export const maybe = <S extends v.GenericSchema>(schema: S) => v.nullish(schema, null)

/**
 * With it, the server refuses an update with 409 CHANGED_MEANWHILE if another user changed the entity since then. It
 * travels as `seenDateHeader`; remotes that were released earlier send it among the properties.
 */
export const seenUpdatedDate = v.optional(Instant)

/** A header, because the specification names the properties of each call: servers that know no such check ignore it. */
export const seenDateHeader = 'Dmp-Seen-Updated-Date'

/** By which clock the page's person reads (IANA, such as `Europe/Berlin`); mails of the server say times by it. */
export const timeZoneHeader = 'Dmp-Time-Zone'
