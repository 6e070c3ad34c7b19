import type { FastifyReply, FastifyRequest } from 'fastify'
import { findKeyword } from '../../dicom/dictionary.ts'
import { chooseType, formatOffer } from './acceptedTypes.ts'
import { listQueryKeys } from './queryKeys.ts'
import { parameters, root, serviceList, type Service } from './dicomwebServices.ts'

/** What the server can do (PS3.18 section 8.9), made of the table of services. */

const answers = [
  { type: 'application/vnd.sun.wadl+xml', isMultipart: false },
  { type: 'application/json', isMultipart: false },
]

export const formatKeyPath = (path: string): string =>
  path
    .split('.')
    .map((tag) => findKeyword(tag) ?? tag)
    .join('.')

/** A path with its parameters as RFC 6570 writes them. */
const toTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')

const listParameters = (service: Service): string[] => [
  ...service.parameters,
  ...(service.level === undefined ? [] : listQueryKeys(service.level).map(({ path }) => formatKeyPath(path))),
]

const resources = (): Map<string, Service[]> => {
  const byPath = new Map<string, Service[]>()
  for (const [, service] of serviceList)
    for (const path of service.paths) byPath.set(path, [...(byPath.get(path) ?? []), service])
  return byPath
}

export function describeCapabilities(): object {
  return {
    resources: [...resources()].map(([path, methods]) => ({
      path: toTemplate(path),
      methods: methods.map((service) => ({
        name: service.method,
        title: service.title,
        requests: (service.takes ?? []).map(formatOffer),
        responses: service.answers.map(formatOffer),
        parameters: listParameters(service),
      })),
    })),
    parameters,
  }
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function writeMethod(service: Service): string {
  const representation = (offer: { type: string; isMultipart: boolean }): string =>
    `<representation mediaType="${escape(formatOffer(offer))}"/>`
  const names = listParameters(service).map((name) => `<param name="${escape(name)}" style="query"/>`)
  const body = (service.takes ?? []).map(representation)
  return [
    `<method name="${service.method}"><doc title="${escape(service.title)}"/>`,
    `<request>${[...names, ...body].join('')}</request>`,
    `<response>${service.answers.map(representation).join('')}</response></method>`,
  ].join('')
}

export function writeWadl(): string {
  const elements = [...resources()].map(([path, methods]) => {
    const template = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `<param name="${name}" style="template"/>`)
    return `<resource path="${toTemplate(path).slice(root.length + 1)}">${template.join('')}${methods.map(writeMethod).join('')}</resource>`
  })
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<application xmlns="http://wadl.dev.java.net/2009/02">' +
    `<resources base="${root}/">${elements.join('\n')}</resources></application>\n`
  )
}

export async function sendCapabilities(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { type } = chooseType(request, answers)
  const here = request.server.methodsAt(request.url).filter((method) => method !== 'OPTIONS')
  const all = serviceList.flatMap(([, { method }]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  // The root, and an address that is none, tell of the whole service.
  const methods = here.length > 0 ? here : [...new Set(all)]
  void reply.type(type).header('allow', [...methods, 'OPTIONS'].join(', '))
  return reply.send(type === 'application/json' ? JSON.stringify(describeCapabilities()) : writeWadl())
}
