import * as v from 'valibot'
import { address, optional } from './setting.ts'

/** Whom somebody tells who found a hole. */
export const securitySettings = {
  securityContact: optional(
    'DMP_SECURITY_CONTACT',
    'Where reports of vulnerabilities go, for /.well-known/security.txt: mailto:security@example.org or a page',
    v.pipe(address('mailto:', 'https:'), v.regex(/^[!-~]+$/, 'has blanks or characters that an address cannot have')),
  ),
} as const
