# SPDX-License-Identifier: Apache-2.0
#
# Makes of lanewise.h a C program that prints what of the header is ABI: the
# size of each struct and enum, the offset and size of each field, the number
# of each enumerator. The names come from the header itself, so that none is
# forgotten.

/^#/ { next }
{ text = text " " $0 }

function WithoutComments(text,    kept, at) {
  while ((at = index(text, "/*")) != 0) {
    kept = kept substr(text, 1, at - 1)
    text = substr(text, at + 2)
    text = substr(text, index(text, "*/") + 2)
  }
  return kept text
}

function Enumerators(body,    parts, n, i) {
  n = split(body, parts, ",")
  for (i = 1; i <= n; ++i) {
    if (match(parts[i], /[A-Za-z_][A-Za-z_0-9]*/)) {
      printf "  VALUE(%s);\n", substr(parts[i], RSTART, RLENGTH)
    }
  }
}

# A field is "type name", "type name[size]" or "type (*name)(parameters)".
function Fields(type, body,    parts, n, i, field) {
  n = split(body, parts, ";")
  for (i = 1; i <= n; ++i) {
    field = parts[i]
    if (field !~ /[a-z]/) continue
    if (match(field, /\(\*[a-z_0-9]+\)/)) {
      field = substr(field, RSTART + 2, RLENGTH - 3)
    } else {
      sub(/\[.*/, "", field)
      sub(/ +$/, "", field)
      sub(/.*[ *]/, "", field)
    }
    printf "  FIELD(%s, %s);\n", type, field
  }
}

END {
  print "#include <stddef.h>\n#include <stdio.h>\n"
  print "#include \"lanewise/lanewise.h\"\n"
  print "#define SIZE(type) \\"
  print "  printf(\"size %s %lu\\n\", #type, (unsigned long)sizeof(type))"
  print "#define FIELD(type, name)                           \\"
  print "  printf(\"field %s.%s at %lu, size %lu\\n\", #type, #name, \\"
  print "         (unsigned long)offsetof(type, name), \\"
  print "         (unsigned long)sizeof(((type*)0)->name))"
  print "#define VALUE(name) printf(\"value %s %ld\\n\", #name, (long)(name))\n"
  print "int main(void) {"
  text = WithoutComments(text)
  while (match(text, /typedef (enum|struct) lw_[a-z_0-9]+ *\{[^}]*\}/)) {
    definition = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    split(definition, words, / +/)
    body = definition
    sub(/^[^{]*\{/, "", body)
    sub(/\}$/, "", body)
    printf "  SIZE(%s);\n", words[3]
    if (words[2] == "enum") Enumerators(body)
    else Fields(words[3], body)
  }
  print "  return 0;\n}"
}
