import type { organization } from '@dmp/contract'

/** Only the first license of each SaaS name is used in lists (3.08). */
export function firstPerSaas(licenses: readonly organization.License[]): organization.License[] {
  return licenses.filter((license, index) => licenses.findIndex((other) => other.saas === license.saas) === index)
}
