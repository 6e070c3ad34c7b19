import type { organization } from '@dmp/contract'

type SaasName = organization.SaasName

/**
 * Add-on apps that can use a series, by its modality (3.12 leaves it open): Autometrics measures radiographs and
 * cross-sections, BMD needs calibrated X-ray attenuation, OssView renders bone from volumes, PeekMed plans surgery on
 * radiographs, angiography and CT.
 */
const saasByModality: Readonly<Record<string, readonly SaasName[]>> = {
  CT: ['Autometrics', 'BMD', 'OssView', 'PeekMed'],
  MR: ['Autometrics', 'OssView'],
  CR: ['Autometrics', 'BMD', 'PeekMed'],
  DX: ['Autometrics', 'BMD', 'PeekMed'],
  RF: ['PeekMed'],
  XA: ['PeekMed'],
}

export const listCompatibleSaas = (modality: string): SaasName[] => [...(saasByModality[modality] ?? [])]
