/** The code of the problem in an error response. */
export async function problemOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { data: { problem: { code: string } } } };
  return body.error.data.problem.code;
}
