import { providerOrganizationId, type OrganizationChoice } from '@dmp/contract/organization'

/**
 * The organization that was chosen last, else a good first one: the provider's own has no patients, and without a
 * datastore there are no scans.
 */
export function findShown(
  choices: readonly OrganizationChoice[],
  chosen: string | null,
): OrganizationChoice | undefined {
  const customers = choices.filter(({ id }) => id !== providerOrganizationId)
  return (
    choices.find(({ id }) => id === chosen) ??
    customers.find(({ hasDatastore }) => hasDatastore !== false) ??
    customers[0] ??
    choices[0]
  )
}
