import { organization } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import type { SignedIn } from '../../testing/server.ts'

export const unknownId = '00000000-0000-4000-8000-00000000dead'

export const listLicenses = async (viewer: SignedIn, id: string) =>
  (await viewer.call(organization.listLicenses, { id })).data

export const findLicenseId = async (viewer: SignedIn, saas: string) =>
  (await listLicenses(viewer, northClinic.id)).find((license) => license.saas === saas)?.licenseId ?? ''
