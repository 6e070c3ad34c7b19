/** Makes a call of the API and returns its data; throws the answer's text where it was refused. */
export async function postCall(address: string, call: string, body: object, authorization = ''): Promise<unknown> {
  const reply = await fetch(`${address}/api/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(await reply.text())
  return ((await reply.json()) as { data: unknown }).data
}
