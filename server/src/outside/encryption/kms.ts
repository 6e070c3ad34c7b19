import { AwsClient } from 'aws4fetch'
import * as v from 'valibot'
import { MasterKeyError, type DataKeyNames, type MasterKey } from './masterKey.ts'

export interface KmsAccess {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const timeoutMs = 8000

const Answer = v.object({ CiphertextBlob: v.optional(v.string()), Plaintext: v.optional(v.string()) })
const Problem = v.object({ __type: v.optional(v.string()) })

/**
 * A master key that never leaves a key management service with the JSON interface of AWS KMS: the service wraps and
 * unwraps. Organization and key id are its encryption context, so that they are in its log as well.
 */
export function createKmsMasterKey(keyId: string, access: KmsAccess): MasterKey {
  const { endpoint: url, region, accessKeyId, secretAccessKey } = access
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 'kms', retries: 0 })

  const call = async (action: 'Encrypt' | 'Decrypt', input: Record<string, unknown>) => {
    const response = await send(client, url, action, JSON.stringify({ KeyId: keyId, ...input }))
    const body: unknown = await response.json().catch(() => undefined)
    if (response.ok) return v.parse(Answer, body)
    // The name of the fault alone: a message may repeat what was sent.
    const problem = v.safeParse(Problem, body)
    const name = (problem.success ? problem.output.__type : undefined)?.split('#').at(-1) ?? String(response.status)
    throw new MasterKeyError(
      `The key management service at ${url} refuses ${action} with the key ${keyId} (${name.slice(0, 60)}). Check DMP_KMS_… and the rights of its access key.`,
    )
  }

  return {
    id: `kms:${keyId}`,
    async wrap(dataKey, names) {
      const { CiphertextBlob } = await call('Encrypt', {
        Plaintext: dataKey.toString('base64'),
        EncryptionContext: toContext(names),
      })
      return Buffer.from(CiphertextBlob ?? '', 'base64')
    },
    async unwrap(wrapped, names) {
      const { Plaintext } = await call('Decrypt', {
        CiphertextBlob: Buffer.from(wrapped).toString('base64'),
        EncryptionContext: toContext(names),
      })
      return Buffer.from(Plaintext ?? '', 'base64')
    },
  }
}

const toContext = ({ keyId, organizationId }: DataKeyNames): Record<string, string> => ({
  dataKey: keyId,
  organization: organizationId,
})

async function send(client: AwsClient, url: string, action: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${action}` }
  try {
    const request = await client.sign(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
    // Keys go to the service of the settings, and to no other that it names.
    return await fetch(request, { redirect: 'manual' })
  } catch (cause) {
    throw new MasterKeyError(
      `The key management service at ${url} does not respond. Start it, or correct DMP_KMS_ENDPOINT.`,
      { cause },
    )
  }
}
