#include "message.h"

#include <stdarg.h>
#include <wchar.h>

void message_add(Message *message, const wchar_t *format, ...) {
    size_t used = wcslen(message->text);
    va_list values;
    va_start(values, format);
    _vsnwprintf(message->text + used, message_chars - 1 - used, format, values);
    va_end(values);
    message->text[message_chars - 1] = 0;
}
