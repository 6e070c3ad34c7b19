import { toApiAddress } from '@dmp/contract/apiAddress'
import { report } from '@dmp/contract/releaseReport'
import { settings } from '@dmp/kit'

/** Where pages tell what they saw of releases. */
export const reportAddress = (): string =>
  new URL(toApiAddress(settings(), report.definition.path), document.baseURI).href
