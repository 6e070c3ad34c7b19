import type { RuntimeSettings } from './settings.ts'

/**
 * The address of a call of the contract.
 *
 * @example
 * toApiAddress(settings, '/account/login') // '/api/account/login'
 */
export const toApiAddress = ({ apiRoot }: Pick<RuntimeSettings, 'apiRoot'>, path: string): string =>
  apiRoot.replace(/\/$/, '') + path
