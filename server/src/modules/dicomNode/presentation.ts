import type { ServiceName } from '@dmp/contract/dicomPartner'
import { transferSyntax } from '@dmp/dicom'
import { findTransferSyntax, listTransferSyntaxes } from '@dmp/dicom/transferSyntaxes'
import {
  isStorage,
  storageCommitment,
  verification,
  type Agreement,
  type AssociateRequest,
  type ProposedContext,
} from '@dmp/dimse'

/** The SOP classes of the node, each once: docs/conformance.md says the same. */

export type QueryCommand = 'find' | 'move' | 'get'
const queryClasses: Readonly<Record<string, QueryCommand>> = {
  '1.2.840.10008.5.1.4.1.2.1.1': 'find',
  '1.2.840.10008.5.1.4.1.2.1.2': 'move',
  '1.2.840.10008.5.1.4.1.2.1.3': 'get',
  '1.2.840.10008.5.1.4.1.2.2.1': 'find',
  '1.2.840.10008.5.1.4.1.2.2.2': 'move',
  '1.2.840.10008.5.1.4.1.2.2.3': 'get',
}

export const listQueryClasses = (): [uid: string, command: QueryCommand][] => Object.entries(queryClasses)

/** Which search or retrieval a SOP class is, of the patient's or of the study's root. */
export const findQueryCommand = (abstractSyntax: string): QueryCommand | undefined => queryClasses[abstractSyntax]

/** Whether the information model begins with patients. */
export const isPatientRoot = (abstractSyntax: string): boolean =>
  abstractSyntax.startsWith('1.2.840.10008.5.1.4.1.2.1.')

const { explicitLittleEndian, implicitLittleEndian } = transferSyntax
const plain = [explicitLittleEndian, implicitLittleEndian]

function neededService(abstractSyntax: string, mayReturn: boolean): ServiceName[] {
  const command = findQueryCommand(abstractSyntax)
  if (command) return [command === 'find' ? 'Query' : 'Retrieve']
  if (abstractSyntax === storageCommitment) return ['Store']
  return mayReturn ? ['Store', 'Retrieve'] : ['Store']
}

/**
 * What is agreed to with a partner that has these services. An object comes in the first transfer syntax that the
 * partner names and the platform stores; one that is fetched by C-GET goes in explicit little endian where the partner
 * takes that, because a context has one transfer syntax and images are stored in many.
 */
export function agreeOn({ roles }: AssociateRequest, services: readonly ServiceName[]): Agreement {
  const returning = new Set(
    roles
      .filter(
        ({ abstractSyntax, isProvider }) => isProvider && isStorage(abstractSyntax) && services.includes('Retrieve'),
      )
      .map(({ abstractSyntax }) => abstractSyntax),
  )
  return {
    choose: (context) => choose(context, services, returning.has(context.abstractSyntax)),
    roles: roles.map(({ abstractSyntax, isUser }) => ({
      abstractSyntax,
      isUser: isUser && services.includes('Store'),
      isProvider: returning.has(abstractSyntax),
    })),
  }
}

function choose(
  { abstractSyntax, transferSyntaxes }: ProposedContext,
  services: readonly ServiceName[],
  mayReturn: boolean,
): string | 'abstractSyntax' | 'transferSyntaxes' {
  const isObject = isStorage(abstractSyntax)
  const isKnown =
    isObject ||
    abstractSyntax === verification ||
    abstractSyntax === storageCommitment ||
    findQueryCommand(abstractSyntax) !== undefined
  const needed = abstractSyntax === verification ? undefined : neededService(abstractSyntax, mayReturn)
  if (!isKnown || (needed && !needed.some((service) => services.includes(service)))) return 'abstractSyntax'
  const find = (uids: readonly string[]): string | undefined => uids.find((uid) => transferSyntaxes.includes(uid))
  const chosen =
    isObject && !mayReturn
      ? transferSyntaxes.find((uid) => findTransferSyntax(uid) !== undefined)
      : (find(plain) ?? (isObject ? find(storedSyntaxes) : undefined))
  return chosen ?? 'transferSyntaxes'
}

const storedSyntaxes = listTransferSyntaxes().map(({ uid }) => uid)
