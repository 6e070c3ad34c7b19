import type { organization } from '@dmp/contract'

/** Returns the first license of each SaaS name, the only one used in lists (3.08). */
export function firstPerSaas(licenses: readonly organization.License[]): organization.License[] {
  return licenses.filter((license, index) => licenses.findIndex((other) => other.saas === license.saas) === index)
}
