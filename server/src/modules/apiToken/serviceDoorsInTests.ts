import type { InjectOptions } from 'fastify'
import { services } from '../dicomweb/dicomwebServices.ts'

export const [study, series, instance] = ['1.97', '1.97.1', '1.97.1.1']
const real: Readonly<Record<string, string>> = { study, series, instance, frames: '1', '*': '7FE00010' }
const nowhere: Readonly<Record<string, string>> = { ...real, study: '1.97.404', id: 'f'.repeat(32) }

/** One door for each DICOMweb service and each step of a resumable upload; what is deleted is not there. */
export const serviceDoors = [
  ...Object.entries(services).flatMap(([name, { method, paths, action }]) =>
    paths.slice(0, 1).map((path) => ({ name, method, path, action })),
  ),
  { name: 'changes', method: 'GET', path: '/api/Changes', action: 'List' },
  { name: 'begin an upload', method: 'POST', path: '/api/Scan/uploads', action: 'Upload' },
  ...(['HEAD', 'PATCH', 'DELETE'] as const).map((method) => ({
    name: `${method} of an upload`,
    method,
    path: '/api/Scan/uploads/:id',
    action: 'Upload' as const,
  })),
] as const
export type ServiceDoor = (typeof serviceDoors)[number]

export function toRequest(
  { method, path }: Pick<ServiceDoor, 'method' | 'path'>,
  organizationId?: string,
): InjectOptions {
  const there = method === 'DELETE' || path.endsWith(':id') ? nowhere : real
  const url = path.replace(/:(\w+)|\*/g, (found, name = found) => there[name] ?? 'x')
  return { method, url: organizationId === undefined ? url : `${url}?organizationId=${organizationId}` }
}
