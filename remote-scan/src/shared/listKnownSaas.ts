import { saasNames, type SaasName } from '@dmp/contract/organization'

/** The add-on apps among `names` (3.12); another server may know more of them than this page. */
export const listKnownSaas = (names: readonly string[]): SaasName[] => saasNames.filter((name) => names.includes(name))
