import * as v from 'valibot'
import { ComplaintImage } from './complaint.ts'
import { endpoint, may } from './endpoint.ts'
import { Instant, Uuid, exact, maybe } from './fields.ts'

/** The logo of an organization, as it was drawn anew: a PNG of at most `limits.logoPx`. */
export const OrganizationLogo = v.object({
  dataURL: v.string('Text.'),
  width: v.number('A number.'),
  height: v.number('A number.'),
  updatedDate: Instant,
})
export type OrganizationLogo = v.InferOutput<typeof OrganizationLogo>

const LogoOrNone = maybe(OrganizationLogo)
const byId = exact({ id: Uuid })

/** Not in the specification: what share pages and mails of the organization bear. */
export const getLogo = endpoint({
  method: 'GET',
  path: '/Organization/getLogo',
  summary: 'The logo of an organization, or nothing where it has none.',
  needs: may('Organization', 'Get'),
  query: byId,
  answer: LogoOrNone,
})

/** The picture as a complaint's (3.10); whatever is not a pixel of it is left out. */
export const LogoDraft = exact({ imageData: ComplaintImage })
export type LogoDraft = v.InferOutput<typeof LogoDraft>

export const setLogo = endpoint({
  method: 'PUT',
  path: '/Organization/setLogo/:id',
  summary: 'Give an organization a logo, or another one.',
  needs: may('Organization', 'Update'),
  params: byId,
  body: LogoDraft,
  answer: LogoOrNone,
  renews: getLogo,
  bodyLimit: 3_200_000,
})

export const removeLogo = endpoint({
  method: 'DELETE',
  path: '/Organization/removeLogo/:id',
  summary: 'Take the logo of an organization away.',
  needs: may('Organization', 'Update'),
  params: byId,
  answer: LogoOrNone,
  renews: getLogo,
})
