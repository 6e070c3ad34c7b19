import type { Ask } from './kmipLine.ts'
import { operation, reason, tag, toVersion, version, type KmipRefusal, type Operation } from './kmipMessage.ts'
import * as ttlv from './ttlv.ts'

const ours = `${version.major}.${version.minor}`
const aes = 3
const active = 2
const stateNames = ['', 'Pre-Active', 'Active', 'Deactivated', 'Compromised', 'Destroyed', 'Destroyed Compromised']
const queryOperations = 1
const usage: Readonly<Record<string, number>> = { Encrypt: 4, Decrypt: 8 }

/**
 * Why the service said no, and what to do, after the words "The key management service at …". Services differ in the
 * reasons that they give, so the service is asked what it can do and what it knows of the key.
 */
export async function explain(ask: Ask, name: Operation, keyId: string, refusal: KmipRefusal): Promise<string> {
  if (refusal.reason === reason.notAuthenticated)
    return 'does not accept the certificate of DMP_KMIP_CERTIFICATE_FILE as a client. Register it there; it needs the extended key usage clientAuth and one common name.'
  if (refusal.reason === reason.itemNotFound || refusal.reason === reason.objectNotFound)
    return `has no key ${keyId} for the certificate of DMP_KMIP_CERTIFICATE_FILE. Correct kmip:${keyId} in the settings, or let this client use the key.`
  for (const look of [lookAtVersions, lookAtOperations, lookAtKey]) {
    // It may refuse to say this as well; then the next question may help.
    const found = await look(ask, name, keyId).catch(() => undefined)
    if (found !== undefined) return found
  }
  if (refusal.version !== ours) return oldVersion(refusal.version)
  if (refusal.reason === reason.permissionDenied)
    return `does not let the certificate of DMP_KMIP_CERTIFICATE_FILE ${name} with the key ${keyId} (${refusal.message}). Give this client the rights Encrypt and Decrypt for it.`
  return name === 'Decrypt'
    ? `does not open a data key with the key ${keyId}, which wrapped it (${refusal.message}). Restore the table organization_keys from a backup, or look into the log of the service.`
    : `refuses ${name} with AES-GCM and the key ${keyId} (${refusal.message}). Look into its log, and into what its licence and its settings allow.`
}

const oldVersion = (spoken: string): string =>
  `speaks KMIP ${spoken}, and this server needs ${ours}. Allow version ${ours} there, or raise the service.`

async function lookAtVersions(ask: Ask): Promise<string | undefined> {
  const spoken = ttlv.structuresOf(await ask('Discover Versions'), tag.protocolVersion).map(toVersion)
  return spoken.length > 0 && !spoken.includes(ours) ? oldVersion(spoken.join(', ')) : undefined
}

async function lookAtOperations(ask: Ask, name: Operation): Promise<string | undefined> {
  const answer = await ask('Query', ttlv.enumeration(tag.queryFunction, queryOperations))
  const offered = ttlv.numbersOf(answer, tag.operation)
  return offered.length > 0 && !offered.includes(operation[name])
    ? `does not offer ${name}. Allow the cryptographic operations of KMIP there, or use another service.`
    : undefined
}

async function lookAtKey(ask: Ask, name: Operation, keyId: string): Promise<string | undefined> {
  const wanted = ['State', 'Cryptographic Usage Mask', 'Cryptographic Algorithm']
  const answer = await ask(
    'Get Attributes',
    ttlv.text(tag.uniqueIdentifier, keyId),
    ...wanted.map((attribute) => ttlv.text(tag.attributeName, attribute)),
  )
  const attributes = ttlv.structuresOf(answer, tag.attribute)
  const [state, mask, algorithm] = wanted.map((attribute) => {
    const found = attributes.find((item) => ttlv.textIn(item, tag.attributeName) === attribute)
    return found && ttlv.numberIn(found, tag.attributeValue)
  })
  if (state !== undefined && state !== active && (name === 'Encrypt' || state === 1))
    return `holds the key ${keyId}, but it is ${stateNames[state] ?? 'not active'}, and only an active key wraps. Activate it there, or put another master key first.`
  if (algorithm !== undefined && algorithm !== aes)
    return `holds the key ${keyId}, but it is not a key for AES. Make an AES key of 256 bits there.`
  if (mask !== undefined && (mask & (usage[name] ?? 0)) === 0)
    return `holds the key ${keyId}, but not for ${name}. Its usage mask needs Encrypt and Decrypt.`
  return undefined
}
