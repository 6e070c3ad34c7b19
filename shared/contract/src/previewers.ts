import * as v from 'valibot'
import { Email } from './fields.ts'
import { limits } from './limits.ts'

/** Email addresses of the people who may open a preview. */
export const Previewers = v.pipe(
  v.array(v.pipe(Email, v.toLowerCase()), 'A list.'),
  v.maxLength(limits.previewUsers, `Name at most ${limits.previewUsers} people.`),
  v.check((list) => new Set(list).size === list.length, 'Name each person once.'),
)
